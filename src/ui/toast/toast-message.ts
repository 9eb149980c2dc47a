export type ToastMessage = {
  title: string;
  description?: string;
  tone?: 'success' | 'danger';
  /** One verb, for example Undo. */
  action?: { label: string; onSelect: () => void };
};
