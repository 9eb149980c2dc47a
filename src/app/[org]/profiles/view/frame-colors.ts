/** What a frame is filled with, by whose code it is; text stands on either. */
export const OWN_COLOR = 'var(--color-chart-soft)';
export const LIBRARY_COLOR = 'var(--color-border-strong)';
