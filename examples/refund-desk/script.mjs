/** The model's part: what it does next depends on what the last results say, and the refund has number and amount from there. */
const ORDER = /[A-Z]-\d{4}/g;

export default ({ messages }) => {
  const last = messages.at(-1).content;
  const results = last.filter(({ type }) => type === 'tool_result');
  if (results.length === 0) return first(last.map(({ text }) => text).join(''));
  const orders = results.map(({ content, is_error }) => (is_error ? null : JSON.parse(content)));
  const [order] = orders;
  if (order === null) return { text: `I could not do that. ${results[0].content}` };
  if (order.refunded)
    return { text: `Done: ${order.amount} for the order ${order.order_id} is on its way back to you.` };
  if (orders.length > 1)
    return { text: orders.map(({ order_id, status }) => `${order_id} is ${status}.`).join(' ') };
  if (order.status !== 'delivered')
    return { text: `The order ${order.order_id} is ${order.status}. Once it is there, it can be refunded.` };
  const { order_id, amount } = order;
  return {
    text: `It was delivered. I refund ${amount}.`,
    calls: [{ name: 'process_refund', input: { order_id, amount } }],
  };
};

function first(task) {
  const numbers = task.match(ORDER) ?? [];
  if (numbers.length === 0) return { text: 'I know about orders only. Which one is it about?' };
  const calls = numbers.map((order_id) => ({ name: 'lookup_order', input: { order_id } }));
  return { text: 'Task complete as soon as I have looked: one moment.', calls };
}
