/** A balancer of connections before a pool of workers, as a real one is: who does not answer is passed over. */
import { once } from 'node:events';
import net from 'node:net';

export interface Balancer {
  readonly port: number;
  /** No new connection goes to a worker that a health check has found wanting. */
  passOver(port: number): void;
  close(): void;
}

export async function startBalancer(workers: readonly number[]): Promise<Balancer> {
  const ports = [...workers];
  let next = 0;
  const sockets = new Set<net.Socket>();
  const keep = (socket: net.Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    socket.on('error', () => {});
  };
  const join = (client: net.Socket, tries: number): void => {
    if (tries === 0) {
      client.destroy();
      return;
    }
    const port = ports[next % ports.length] ?? 0;
    next += 1;
    const worker = net.connect({ port, host: '127.0.0.1', noDelay: true });
    keep(worker);
    const passOver = () => join(client, tries - 1);
    worker.once('error', passOver);
    worker.once('connect', () => {
      worker.off('error', passOver);
      client.pipe(worker);
      worker.pipe(client);
      client.once('close', () => worker.destroy());
      worker.once('close', () => client.destroy());
    });
  };
  // What is small is passed on at once: gathered, it would wait for 40 ms.
  const server = net.createServer({ noDelay: true }, (client) => {
    keep(client);
    join(client, ports.length);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as net.AddressInfo).port,
    passOver: (port) => void ports.splice(ports.indexOf(port), 1),
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
