/** A part of the program that is fetched when it is first needed. */
export type OnDemand<T> = {
  /** null until it has arrived. */
  get(): T | null;
  /** Fetches it once; a failed attempt may be repeated. */
  load(): Promise<T>;
};

/** `importModule` is a dynamic import, so that the bundler cuts here. */
export function onDemand<T>(importModule: () => Promise<T>): OnDemand<T> {
  let loaded: T | null = null;
  let loading: Promise<T> | null = null;
  return {
    get: () => loaded,
    load() {
      loading ??= importModule().then(
        (module) => {
          loaded = module;
          return module;
        },
        (error: unknown) => {
          loading = null;
          throw error;
        },
      );
      return loading;
    },
  };
}
