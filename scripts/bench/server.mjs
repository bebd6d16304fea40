// A Messages API on the loopback address that answers at once, so that what is measured is the client.
// Paths: /r/<run>/<turns>/<calls>/<tool>/v1/messages. Prints its address, then one line for each request:
// "<run> <number> <arrival in ms>". Under /many/, several runs share an address: the number of a request is that of its
// messages, and each turn reads a file of its own (notes-1.txt …), so that nothing is taken for a repetition.
import http from 'node:http';

const seen = new Map();
const event = (type, data) => `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`;

function reply(number, turns, calls, tool, file = 'notes.txt') {
  const text = number < turns ? 'I will look at the next file now.' : 'All files are read.';
  const blocks = [{ type: 'text', text }];
  if (number < turns)
    for (let at = 0; at < calls; at += 1)
      blocks.push({
        type: 'tool_use',
        id: `toolu_${number}_${at}`,
        name: tool,
        input: { path: file },
      });
  return { blocks, stop: number < turns ? 'tool_use' : 'end_turn' };
}

function stream({ blocks, stop }) {
  const usage = { input_tokens: 100, output_tokens: 20 };
  const head = {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'bench',
    content: [],
    stop_reason: null,
  };
  const parts = [event('message_start', { message: { ...head, stop_sequence: null, usage } })];
  blocks.forEach((block, index) => {
    const isText = block.type === 'text';
    const start = isText ? { ...block, text: '' } : { ...block, input: {} };
    const whole = isText ? block.text : JSON.stringify(block.input);
    const half = Math.ceil(whole.length / 2);
    parts.push(event('content_block_start', { index, content_block: start }));
    for (const piece of [whole.slice(0, half), whole.slice(half)]) {
      const delta = isText
        ? { type: 'text_delta', text: piece }
        : { type: 'input_json_delta', partial_json: piece };
      parts.push(event('content_block_delta', { index, delta }));
    }
    parts.push(event('content_block_stop', { index }));
  });
  parts.push(event('message_delta', { delta: { stop_reason: stop, stop_sequence: null }, usage }));
  parts.push(event('message_stop', {}));
  return parts.join('');
}

const server = http.createServer((request, response) => {
  const arrival = performance.timeOrigin + performance.now();
  const [, kind, run, turns, calls, tool] = request.url.split('/');
  const answer = (number, file) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(stream(reply(number, Number(turns), Number(calls), tool, file)));
  };
  if (kind === 'many') {
    const chunks = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      const { messages } = JSON.parse(Buffer.concat(chunks));
      const number = messages.filter(({ role }) => role === 'assistant').length + 1;
      console.log(`${run} ${number} ${arrival.toFixed(3)}`);
      answer(number, `notes-${number}.txt`);
    });
    return;
  }
  const number = (seen.get(run) ?? 0) + 1;
  seen.set(run, number);
  console.log(`${run} ${number} ${arrival.toFixed(3)}`);
  request.resume().on('end', () => answer(number));
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`));
