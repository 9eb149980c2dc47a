'use client';

import { useEffect, useEffectEvent, useState } from 'react';
import { holdKeys } from './hold-keys.ts';

/** A part of the program that is fetched when it is first needed. */
type OnDemand<T> = {
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

/**
 * The part once it is needed and has arrived, null before. It then stays, also when it is needed no longer. A part that
 * cannot be fetched is reported, and `onFailure` lets the caller close what waits for it.
 */
export function useOnDemand<T>(part: OnDemand<T>, isNeeded: boolean, onFailure?: () => void): T | null {
  const [arrived, setArrived] = useState<T | null>(null);
  const fail = useEffectEvent((error: unknown) => {
    reportError(error);
    onFailure?.();
  });

  useEffect(() => {
    if (!isNeeded || arrived !== null) return;
    let isGone = false;
    part.load().then(
      (module) => {
        if (!isGone) setArrived(() => module);
      },
      (error: unknown) => {
        if (!isGone) fail(error);
      },
    );
    return () => {
      isGone = true;
    };
  }, [part, isNeeded, arrived]);

  return arrived ?? (isNeeded ? part.get() : null);
}

/**
 * The same for a dialog or a menu that is opened before it has arrived: what is typed meanwhile is for it and not for the
 * page. `onClose` is called for Escape as well.
 */
export function usePopupOnDemand<T>(part: OnDemand<T>, isOpen: boolean, onClose: () => void): T | null {
  const close = useEffectEvent(onClose);
  useEffect(() => (isOpen ? holdKeys(close) : undefined), [isOpen]);
  return useOnDemand(part, isOpen, onClose);
}
