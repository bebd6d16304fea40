/** Parts of a run that count the instants they pass, keep a ledger, and kill the process at one of the instants. */
import { appendFileSync } from 'node:fs';
import type { Journal } from '../journal/journal.ts';
import type { ModelClient } from '../model/client.ts';
import type { RunEvent } from '../outcome.ts';
import type { Tool } from '../tools/tool.ts';
import type { LedgerEntry } from './crash-plan.ts';

export class CrashWatch {
  #passed = 0;
  #started = '';

  constructor(
    private readonly ledger: string,
    private readonly killAt: number | null,
  ) {}

  /** Before and after each record. */
  journal(journal: Journal): Journal {
    return {
      location: journal.location,
      append: (body) => {
        this.#pass(`before the record ${body.type}`);
        const record = journal.append(body);
        this.#pass(`after the record ${body.type}`);
        return record;
      },
      ...(journal.keepFile && { keepFile: journal.keepFile }),
      sync: () => journal.sync(),
      close: () => journal.close(),
    };
  }

  /** Around each request. */
  client(client: ModelClient): ModelClient {
    return {
      ...client,
      ask: async (request, options) => {
        this.#pass('before the request');
        this.#write({ is: 'request', request });
        const message = await client.ask(request, options);
        this.#pass('after the request');
        return message;
      },
    };
  }

  /** Around each call. One with effects runs alone, so it is the one that was started last. */
  tool(tool: Tool): Tool {
    return {
      ...tool,
      run: async (input, context) => {
        this.#pass(`before the call of ${tool.name}`);
        if (tool.effect === 'effectful')
          this.#write({ is: 'effect', tool: tool.name, callId: this.#started });
        const output = await tool.run(input, context);
        this.#pass(`after the call of ${tool.name}`);
        return output;
      },
    };
  }

  event(event: RunEvent): void {
    if (event.type === 'record' && event.record.type === 'tool.started') this.#started = event.record.callId;
  }

  #pass(at: string): void {
    this.#passed += 1;
    this.#write({ is: 'instant', at });
    if (this.#passed === this.killAt) process.kill(process.pid, 'SIGKILL');
  }

  #write(entry: LedgerEntry): void {
    appendFileSync(this.ledger, `${JSON.stringify(entry)}\n`);
  }
}
