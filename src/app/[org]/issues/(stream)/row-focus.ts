const ROW_ATTRIBUTE = 'data-issue-row';

/** Attributes of the link of a row, so that the keyboard finds it. */
export const rowFocusProps = (issueId: number) => ({ [ROW_ATTRIBUTE]: String(issueId) });

/** The issue whose row holds the focus; null when none does. */
export function focusedRowId(): number | null {
  const row = document.activeElement?.closest('li')?.querySelector(`[${ROW_ATTRIBUTE}]`);
  return row ? Number(row.getAttribute(ROW_ATTRIBUTE)) : null;
}

/** Moves the focus to a row's link and brings it into view. */
export function focusRow(issueId: number | undefined): void {
  if (issueId === undefined) return;
  const link = document.querySelector<HTMLElement>(`[${ROW_ATTRIBUTE}="${issueId}"]`);
  link?.focus({ preventScroll: true });
  link?.closest('li')?.scrollIntoView({ block: 'nearest' });
}

/** Follows the link of the row that has the focus. */
export function openFocusedRow(): void {
  const issueId = focusedRowId();
  if (issueId !== null) document.querySelector<HTMLElement>(`[${ROW_ATTRIBUTE}="${issueId}"]`)?.click();
}
