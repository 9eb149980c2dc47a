import { firstValue, type SearchParams } from '../../../../../url-state.ts';
import type { FrameOrder } from './plan-stacks.ts';

/** `own` folds the frames of libraries, `all` shows them, `raw` is the text that the platform prints. */
type StackShape = 'own' | 'all' | 'raw';
export type StackOptions = {
  shape: StackShape;
  order: FrameOrder;
  /** The frames of bundles as they were sent, instead of those of their sources. */
  isAsSent: boolean;
};

/** What was chosen last is kept in this cookie, as `shape.order`. */
export const STACK_COOKIE = 'errata-stack';

const SHAPES: readonly StackShape[] = ['own', 'all', 'raw'];
const ORDERS: readonly FrameOrder[] = ['newest', 'oldest'];

/** The address says how stacks are shown, else what was chosen last, else own code, newest call first. */
export function readStackOptions(params: SearchParams, kept: string | undefined): StackOptions {
  const [keptShape, keptOrder] = (kept ?? '').split('.');
  return {
    shape: one(SHAPES, firstValue(params, 'stack')) ?? one(SHAPES, keptShape) ?? 'own',
    order: one(ORDERS, firstValue(params, 'order')) ?? one(ORDERS, keptOrder) ?? 'newest',
    isAsSent: firstValue(params, 'frames') === 'sent',
  };
}

/** For the address. */
export const stackEntries = ({ shape, order, isAsSent }: StackOptions): Readonly<Record<string, string>> => ({
  stack: shape,
  order,
  ...(isAsSent && { frames: 'sent' }),
});

/** For the cookie. What was sent is looked at once, not from now on. */
export const keptStack = ({ shape, order }: StackOptions): string => `${shape}.${order}`;

const one = <T extends string>(known: readonly T[], value: string | null | undefined): T | undefined =>
  known.find((each) => each === value);
