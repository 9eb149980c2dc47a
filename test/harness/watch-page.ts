import type { BrowserContext, Page } from 'playwright-core';

/** What a page did that no page may do. */
export type Mischief = {
  /** One line for each: a script that ran, a dialog, a window, a request to elsewhere, an error in the console. */
  readonly seen: string[];
};

/**
 * Watches every page of the context from now on: whether the function `canary` is called, dialogs, new windows, requests
 * that leave the origin of `url`, errors in the console and uncaught ones.
 */
export async function watchContext(context: BrowserContext, url: string, canary: string): Promise<Mischief> {
  const { origin } = new URL(url);
  const seen: string[] = [];
  await context.exposeBinding(canary, ({ frame }) => void seen.push(`a script ran in ${frame.url()}`));
  context.on('request', (request) => {
    const address = request.url();
    const isOwn = address.startsWith(`${origin}/`) || /^(data|blob|about):/.test(address);
    if (!isOwn) seen.push(`a request to ${address.slice(0, 200)}`);
  });
  context.on('dialog', (dialog) => {
    seen.push(`a dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  context.on('console', (message) => {
    if (message.type() === 'error') seen.push(`the console of ${message.page()?.url()}: ${message.text()}`);
  });
  context.on('weberror', (error) => seen.push(`an uncaught error: ${error.error().message}`));
  context.on('page', (page) => seen.push(`another window: ${page.url()}`));
  return { seen };
}

/** What of the page reaches out of its frame, or leads where it may not; each as one line. */
export const inspectPage = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() => {
    const found: string[] = [];
    const describe = (element: Element) => `${element.localName}.${String(element.className).slice(0, 60)}`;

    const { scrollWidth, clientWidth } = document.documentElement;
    if (scrollWidth > clientWidth) {
      // What an ancestor of its own clips or scrolls does not widen the page.
      const isClipped = (element: Element): boolean => {
        const style = getComputedStyle(element);
        let around =
          style.position === 'absolute' ? (element as HTMLElement).offsetParent : element.parentElement;
        for (; around && around !== document.body; around = around.parentElement) {
          if (getComputedStyle(around).overflowX !== 'visible') return true;
        }
        return false;
      };
      const widest = [...document.body.querySelectorAll('*')]
        .filter((element) => element.getBoundingClientRect().right > clientWidth + 1 && !isClipped(element))
        .slice(0, 5);
      found.push(`scrolls sideways by ${scrollWidth - clientWidth} px: ${widest.map(describe).join(', ')}`);
    }

    for (const element of document.querySelectorAll('a[href], area[href]')) {
      const address = element.getAttribute('href') ?? '';
      const { protocol } = new URL(address, document.baseURI);
      if (!['http:', 'https:', 'mailto:'].includes(protocol)) found.push(`a link to ${address.slice(0, 80)}`);
    }
    for (const element of document.querySelectorAll('img, iframe, object, embed, base, form[action], link')) {
      const address = ['src', 'data', 'href', 'action']
        .map((name) => element.getAttribute(name))
        .find(Boolean);
      if (!address) continue;
      const { origin, protocol } = new URL(address, location.href);
      const isSafe = origin === location.origin || (protocol === 'data:' && element.localName === 'img');
      // React marks the form of an action so; it is sent by script alone.
      const isAction = element.localName === 'form' && address.startsWith('javascript:throw new Error(');
      if (!isSafe && !isAction) found.push(`a ${describe(element)} of ${address.slice(0, 80)}`);
    }

    // What opens another direction and is never closed reaches beyond whatever isolates it; marks of direction alone need
    // to be isolated from what stands beside them.
    const OPENS = /[\u202A-\u202E]/;
    const MARKS = /[\u061C\u200E\u200F]/;
    const NOT_LAID_OUT = /^(script|style|textarea|option|title)$/;
    const isUnbalanced = (text: string): boolean => {
      let depth = 0;
      for (const sign of text) {
        if (/[\u2066-\u2068]/.test(sign)) depth += 1;
        else if (sign === '\u2069' && --depth < 0) return true;
      }
      return depth > 0;
    };
    const isIsolated = (element: Element): boolean => {
      const { display, unicodeBidi } = getComputedStyle(element);
      // What stands in a `bdi` is one text of one sender, whatever its parts.
      if (element.localName === 'bdi') return true;
      // A block keeps to itself as well, but not what stands in it from one another.
      if (display !== 'inline') return false;
      return /isolate|plaintext/.test(unicodeBidi) || isIsolated(element.parentElement as Element);
    };
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const text = (texts.currentNode as Text).data;
      const parent = texts.currentNode.parentElement;
      if (!parent || NOT_LAID_OUT.test(parent.localName) || parent.getClientRects().length === 0) continue;
      const isLoose = MARKS.test(text) && !isIsolated(parent) && parent.textContent.trim() !== text.trim();
      if (OPENS.test(text) || isUnbalanced(text) || isLoose) {
        found.push(`turning signs in ${describe(parent)}: ${text.slice(0, 80)}`);
      }
    }
    if (OPENS.test(document.title) || isUnbalanced(document.title))
      found.push(`a turned title: ${document.title}`);
    return found;
  });
