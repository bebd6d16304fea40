/** What a request says, checked: it comes from a program that nobody here has written. */
import type { IncomingMessage } from 'node:http';
import type { Command, Decision } from './protocol.ts';

const LARGEST_BODY_BYTES = 65_536;

/** @returns undefined where it is too large or no JSON */
export async function jsonBody(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > LARGEST_BODY_BYTES) return undefined;
    chunks.push(chunk);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8'));
  } catch {
    return undefined;
  }
}

const PLAIN = ['pause', 'continue', 'step', 'cancel'] as const;

export function asCommand(body: unknown): Command | undefined {
  const { command, at } = fieldsOf(body);
  const plain = PLAIN.find((name) => name === command);
  if (plain) return { command: plain };
  const isPlaced = (command === 'break' || command === 'unbreak') && typeof at === 'string';
  return isPlaced && at.length <= LONGEST_NAME ? { command, at } : undefined;
}

export function asDecision(body: unknown): Decision | undefined {
  const { callId, granted, reason } = fieldsOf(body);
  if (typeof callId !== 'string' || typeof granted !== 'boolean') return undefined;
  if (reason !== undefined && typeof reason !== 'string') return undefined;
  return { callId, granted, ...(reason !== undefined && { reason: reason.toWellFormed() }) };
}

const LONGEST_NAME = 200;

const fieldsOf = (body: unknown): { readonly [name: string]: unknown } =>
  typeof body === 'object' && body !== null ? { ...body } : {};
