/** Strict rules for what stands around the messages: fields, tools, texts. */
import { type Fields, isFields, listOf } from './strict-form.ts';

const KNOWN_FIELDS = new Set([
  'model',
  'max_tokens',
  'messages',
  'system',
  'tools',
  'tool_choice',
  'stop_sequences',
  'stream',
  'thinking',
  'output_config',
  'cache_control',
  'metadata',
  'service_tier',
  'inference_geo',
  'container',
  'diagnostics',
  'speed',
  // With its beta: see strict-betas.ts.
  'context_management',
]);
const SAMPLING = ['temperature', 'top_p', 'top_k'];
const EFFORTS: readonly unknown[] = ['low', 'medium', 'high', 'xhigh', 'max'];

export function fieldViolations(body: Fields): string[] {
  const found: string[] = [];
  for (const field of Object.keys(body)) {
    if (SAMPLING.includes(field)) found.push(`${field}: not supported under this version`);
    else if (!KNOWN_FIELDS.has(field)) found.push(`${field}: Extra inputs are not permitted`);
  }
  if (typeof body.model !== 'string' || body.model === '') found.push('model: Field required');
  if (!Number.isInteger(body.max_tokens) || Number(body.max_tokens) < 1)
    found.push('max_tokens: must be a whole number above 0');
  found.push(...systemViolations(body.system));
  if (isFields(body.output_config) && 'effort' in body.output_config)
    if (!EFFORTS.includes(body.output_config.effort)) found.push('output_config.effort: unknown value');
  if (body.tool_choice !== undefined) found.push(...choiceViolations(body));
  found.push(
    ...listOf(body.tools).flatMap(toolViolations),
    ...nameViolations(body),
    ...textViolations(body, ''),
  );
  return found;
}

/** An empty text is no system prompt; as a block it is refused. */
function systemViolations(system: unknown): string[] {
  const texts = typeof system === 'string' ? [system].filter(Boolean) : listOf(system).map(textIn);
  if (texts.some((text) => text === '')) return ['system: text content blocks must be non-empty'];
  return texts.some((text) => text.trim() === '')
    ? ['system: text content blocks must contain non-whitespace text']
    : [];
}

const textIn = (block: unknown): string =>
  isFields(block) && typeof block.text === 'string' ? block.text : '';

function choiceViolations({ tool_choice, tools }: Fields): string[] {
  if (listOf(tools).length === 0) return ['tool_choice may only be specified while providing tools'];
  const type = isFields(tool_choice) ? tool_choice.type : undefined;
  if (type === 'any' || type === 'tool')
    return ['tool_choice: type "tool" and "any" are not supported for this model.'];
  return type === 'auto' || type === 'none' ? [] : ['tool_choice: unknown type'];
}

function toolViolations(tool: unknown, index: number): string[] {
  if (!isFields(tool)) return [`tools.${index}: not an object`];
  const found: string[] = [];
  const { name, description, input_schema: schema } = tool;
  if (typeof name !== 'string' || !/^[a-zA-Z0-9_-]{1,128}$/.test(name))
    found.push(`tools.${index}.custom.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'`);
  if (description !== undefined && typeof description !== 'string')
    found.push(`tools.${index}.custom.description: Input should be a valid string`);
  if (!isFields(schema) || schema.type !== 'object')
    found.push(`tools.${index}.custom.input_schema.type: Input should be 'object'`);
  else if ('anyOf' in schema || 'oneOf' in schema || 'allOf' in schema)
    found.push(
      `tools.${index}.custom.input_schema: does not support oneOf, allOf, or anyOf at the top level`,
    );
  return found;
}

function nameViolations({ tools }: Fields): string[] {
  const names = listOf(tools).map((tool) => (isFields(tool) ? tool.name : undefined));
  return new Set(names).size < names.length ? ['tools: Tool names must be unique.'] : [];
}

/** Half a surrogate pair is no text: the service cannot decode the body. */
function textViolations(value: unknown, at: string): string[] {
  if (typeof value === 'string') return /\p{Cs}/u.test(value) ? [`${at}: half a surrogate pair`] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [
    ...textViolations(key, at),
    ...textViolations(inner, at === '' ? key : `${at}.${key}`),
  ]);
}
