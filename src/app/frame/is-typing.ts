/** Whether a key belongs to a text field, a menu, a dialog or a browser shortcut, and not to the page. */
export function isTyping(event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return true;
  const target = event.target;
  if (!(target instanceof HTMLElement)) return false;
  return (
    target.isContentEditable ||
    target.closest(
      'input:not([type="checkbox"]), textarea, select, [role="menu"], [role="listbox"], [role="dialog"]',
    ) !== null
  );
}
