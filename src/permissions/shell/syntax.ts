/** What pieces of shell syntax do beside running commands: they set variables, and they evaluate what variables hold. */
import type { SyntaxNode } from 'unbash';
import { isNumber, wordOf } from './word.ts';

export type Remark =
  | { readonly sets: string }
  | { readonly evaluates: string }
  /** It cannot be said what this runs. */
  | { readonly hides: string };

const NUMERIC_TESTS = new Set(['-eq', '-ne', '-lt', '-le', '-gt', '-ge']);
const HELD = { evaluates: 'it evaluates what a variable holds' };
const SUBSCRIPT = { evaluates: 'it evaluates a subscript' };

/** @param isBash false for the text of `sh -c`, which another shell may read */
export function remarksOn(node: SyntaxNode, isBash: boolean): readonly Remark[] {
  switch (node.type) {
    case 'Assignment':
      return node.index === undefined || isNumber(wordOf(node.index)) ? [] : [SUBSCRIPT];
    case 'ArrayValue':
      return node.elements.some(({ text }) => text.startsWith('[')) ? [SUBSCRIPT] : [];
    case 'For':
    case 'Select':
      return [{ sets: node.name.value }];
    case 'FileDescriptorVariable':
      return [{ sets: node.name }];
    case 'CommandExpansion':
    case 'ProcessSubstitution':
    case 'ArithmeticCommandExpansion':
      return node.script === undefined ? [{ hides: 'it cannot be taken apart' }] : [];
    case 'ExtendedGlob':
      return [{ hides: 'it can be read in two ways' }];
    case 'ParameterExpansion':
      return expansion(node);
    case 'ArithmeticWord':
      return /^[0-9]*$/.test(node.value) ? [] : [HELD];
    case 'TestCommand':
      // Other shells take [[ for a program, and an && behind it for what it is.
      return isBash ? [] : [{ hides: 'sh reads [[ in another way than bash' }];
    case 'TestUnary':
      return ['-v', '-R'].includes(node.operator) ? [HELD] : [];
    case 'TestBinary': {
      const isPlain = isNumber(wordOf(node.left)) && isNumber(wordOf(node.right));
      return NUMERIC_TESTS.has(node.operator) && !isPlain ? [HELD] : [];
    }
    default:
      return [];
  }
}

type Expansion = Extract<SyntaxNode, { type: 'ParameterExpansion' }>;

/** ${name:=word} sets; ${!name}, ${name[$i]}, ${name:$i} and ${name@P} evaluate. */
function expansion({ prefix, parameter, index, operation }: Expansion): readonly Remark[] {
  if (prefix === '!' && operation?.type !== 'Names') return [HELD];
  if (index !== undefined && !isNumber(wordOf(index)) && !/^[@*]$/.test(index.text)) return [SUBSCRIPT];
  switch (operation?.type) {
    case 'Transform':
    case 'Unknown':
      return [HELD];
    case 'Slice': {
      const { offset, length } = operation;
      return [offset, ...(length ? [length] : [])].every((word) => isNumber(wordOf(word))) ? [] : [HELD];
    }
    case 'Default':
      return operation.operator.endsWith('=') ? [{ sets: parameter }] : [];
    default:
      return [];
  }
}
