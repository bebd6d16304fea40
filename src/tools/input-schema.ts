import * as z from 'zod';
import { OptionsError } from '../checks/options-error.ts';
import type { Tool } from './tool.ts';

export interface JsonSchema {
  readonly [key: string]: unknown;
}

/** The schema as the model is told it: plain JSON Schema. @throws OptionsError naming the tool when it cannot be written so */
export function inputSchemaOf({ name, input }: Tool): JsonSchema {
  try {
    const { $schema: _, ...schema } = z.toJSONSchema(input, { io: 'input' });
    // Unknown keys are refused (see checkInput), so the model is told that there are none.
    return { ...schema, additionalProperties: schema.additionalProperties ?? false };
  } catch (error) {
    throw new OptionsError(`The input schema of the tool ${name} cannot be written as JSON Schema.`, {
      cause: error,
    });
  }
}

/** Keys that an object schema names, and whether it takes further ones. Read from the parts: it may come from another copy of Zod. */
export function keysOf({ input }: Tool): { known: readonly string[]; isOpen: boolean } {
  const { def } = input._zod as unknown as { def: { type: string; shape?: object; catchall?: z.ZodType } };
  const further = def.catchall?._zod.def.type;
  return { known: Object.keys(def.shape ?? {}), isOpen: further !== undefined && further !== 'never' };
}

export const isObjectSchema = ({ input }: Tool): boolean => input._zod.def.type === 'object';
