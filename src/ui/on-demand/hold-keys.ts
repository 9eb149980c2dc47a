/** After this the keys mean again what they mean on the page: what they were meant for does not come. */
const HELD_MS_MAX = 10_000;
const CHARACTERS_MAX = 200;

const POPUP = '[role="dialog"], [role="alertdialog"], [role="menu"], [role="listbox"]';

/**
 * Keeps keys from the page from now until the focus is in a popup, whose text field then gets what was typed, or until
 * something is clicked. Escape calls `onCancel`. Returns how to end it sooner. Keys with Control, Command or Alt belong to
 * the browser.
 */
export function holdKeys(onCancel: () => void): () => void {
  let text = '';
  const stop = new AbortController();
  const end = () => {
    clearTimeout(timer);
    stop.abort();
  };
  const timer = setTimeout(end, HELD_MS_MAX);

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    if (event.key === 'Escape') {
      end();
      onCancel();
    } else if (event.key === 'Backspace') text = text.slice(0, -1);
    else if (event.key.length === 1 && text.length < CHARACTERS_MAX) text += event.key;
  };
  const onFocusIn = ({ target }: FocusEvent) => {
    if (!(target instanceof Element) || target.closest(POPUP) === null) return;
    end();
    // A dialog may focus itself before its field.
    if (text !== '') requestAnimationFrame(() => typeInto(document.activeElement, text));
  };
  window.addEventListener('keydown', onKeyDown, { capture: true, signal: stop.signal });
  window.addEventListener('focusin', onFocusIn, { signal: stop.signal });
  window.addEventListener('pointerdown', end, { signal: stop.signal });
  return end;
}

function typeInto(field: Element | null, text: string): void {
  if (!(field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement)) return;
  field.setRangeText(text, 0, 0, 'end');
  field.dispatchEvent(new InputEvent('input', { bubbles: true }));
}
