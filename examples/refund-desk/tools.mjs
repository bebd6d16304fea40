/**
 * The two tools of a refund desk. What must hold whatever the model thinks is code, and stands in `precondition`: it is looked at right
 * before a refund would be made, and its text is what the model gets instead.
 */
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';

/** What may be given back without a person. */
const CAP = 500;

const order_id = z
  .string()
  .regex(/^[A-Z]-\d{4}$/)
  .describe('The number of the order, such as A-1001.');
const orders = ({ workspace }) => JSON.parse(readFileSync(path.join(workspace, 'orders.json'), 'utf8'));

const ledger = ({ workspace }) => path.join(workspace, 'refunds.jsonl');
const refundOf = (id, context) =>
  existsSync(ledger(context))
    ? readFileSync(ledger(context), 'utf8')
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line))
        .find((refund) => refund.order_id === id)
    : undefined;

const lookupOrder = {
  name: 'lookup_order',
  description: 'Looks an order up by its number and returns its item, status and the amount paid.',
  input: z.strictObject({ order_id }),
  effect: 'read',
  async run({ order_id: id }, context) {
    const found = orders(context)[id];
    if (found) return JSON.stringify({ order_id: id, ...found });
    return { content: `There is no order ${id}. Ask the customer for the number again.`, isError: true };
  },
};

const processRefund = {
  name: 'process_refund',
  description: `Refunds a delivered order, once, up to what was paid. Look the order up first. Above ${CAP} a person decides.`,
  input: z.strictObject({ order_id, amount: z.number().positive() }),
  effect: 'effectful',
  precondition({ order_id: id, amount }, context) {
    const isKnown = context
      .finishedCalls()
      .some(({ name, input, isError }) => name === 'lookup_order' && !isError && input.order_id === id);
    if (!isKnown) return `Not refunded: the order ${id} has not been looked up. Do that first.`;
    const { status, amount: paid } = orders(context)[id];
    if (status !== 'delivered') return `Not refunded: the order ${id} is ${status}, and not delivered yet.`;
    if (amount > paid) return `Not refunded: ${paid} was paid for ${id}. Refund no more than that.`;
    if (amount > CAP)
      return `Not refunded: above ${CAP} a person decides. Tell the customer so, and do not split the sum.`;
    if (refundOf(id, context)) return `Not refunded: the order ${id} has been refunded already.`;
    return undefined;
  },
  async run({ order_id: id, amount }, context) {
    appendFileSync(ledger(context), `${JSON.stringify({ order_id: id, amount })}\n`);
    return JSON.stringify({ order_id: id, amount, refunded: true });
  },
  /** After a crash in the middle of a refund, the ledger knows whether it was made. */
  async probe({ order_id: id }, context) {
    const made = refundOf(id, context);
    return made ? JSON.stringify({ ...made, refunded: true }) : 'not happened';
  },
};

export default [lookupOrder, processRefund];
