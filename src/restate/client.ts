/** What a program needs that submits runs, reads them, or speaks to them. The SDK that serves them is not loaded. */
export { Admin } from './admin.ts';
export { Ingress } from './ingress.ts';
