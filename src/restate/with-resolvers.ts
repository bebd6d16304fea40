/**
 * The SDK calls `Promise.withResolvers`, which Node 20 lacks: without it, the first call hangs for ten minutes. To be imported
 * before the SDK.
 */
interface Resolvers<Value> {
  readonly promise: Promise<Value>;
  readonly resolve: (value: Value | PromiseLike<Value>) => void;
  readonly reject: (reason?: unknown) => void;
}

const known = Promise as { withResolvers?: <Value>() => Resolvers<Value> };

known.withResolvers ??= <Value>() => {
  let resolve: Resolvers<Value>['resolve'] = () => {};
  let reject: Resolvers<Value>['reject'] = () => {};
  const promise = new Promise<Value>((onValue, onReason) => {
    [resolve, reject] = [onValue, onReason];
  });
  return { promise, resolve, reject };
};
