/** Asks the server at the address given, aborts 200 ms after the request was sent, and ends when nothing keeps the process. */
import { anthropicModel } from '../../../src/model/anthropic.ts';
import { type Fetch, nodeFetch } from '../../../src/model/fetch.ts';
import { modelRequest } from '../../helpers/model-request.ts';

const controller = new AbortController();
const fetch: Fetch = (...request) => {
  setTimeout(() => controller.abort(), 200);
  return nodeFetch(...request);
};
const client = anthropicModel({ apiKey: 'a-key', baseUrl: process.argv[2] ?? '', fetch });
try {
  await client.ask(modelRequest(), { signal: controller.signal });
} catch (error) {
  console.log(error instanceof Error ? error.name : error);
}
