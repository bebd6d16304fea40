/** Options that cannot work. The message is one sentence; nothing was created. */
export class OptionsError extends TypeError {
  override readonly name: string = 'OptionsError';
}
