/** What is told of a run that no worker gets on with. The engine is a server that answers as one that tries in vain. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { Place } from '../cli/support.ts';

const RUN = '20261130-094512-k3x9q';
const ROW = {
  target_service_key: RUN,
  target_service_name: 'pawl-run-test',
  created_at: '2026-11-30T09:45:12.000Z',
  status: 'backing-off',
  last_failure: 'The folder is not on this worker.\n    at somewhere',
};

async function stuck() {
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (piece) => {
      body += piece;
    });
    request.on('end', () => {
      response.setHeader('content-type', 'application/json');
      const rows = body.includes('FROM sys_invocation') ? [ROW] : [];
      const isQuery = request.url === '/query';
      response.end(JSON.stringify(isQuery ? { rows } : { invocationId: 'inv_1', status: 'Accepted' }));
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const place = new Place();
  onTestFinished(() => {
    server.close();
    place.remove();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { place, at: ['--restate', url, '--restate-admin', url] };
}

describe('a run that no worker gets on with', () => {
  it('is listed with the reason, without the stack', async () => {
    const { place, at } = await stuck();
    const { stdout } = await place.pawl(['runs', '--json', ...at]);
    const problem = 'The folder is not on this worker.';
    expect(JSON.parse(stdout)).toMatchObject([{ run_id: RUN, status: 'interrupted', problem }]);
  });

  it('is told to end, and whoever says so is told why that may take a while', async () => {
    const { place, at } = await stuck();
    const { code, stderr } = await place.pawl(['cancel', RUN, ...at]);
    expect(code).toBe(0);
    expect(stderr).toContain(`The run ${RUN} is told to end.`);
    expect(stderr).toContain('No worker gets on with it so far: The folder is not on this worker.\n');
  });
});
