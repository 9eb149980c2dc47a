import type { Page } from 'playwright-core';

/** Errors that the page writes or throws, and requests that leave the origin; answers how to stop. */
export function listenForFaults(page: Page, tell: (what: string) => void, origin: string): () => void {
  const onConsole = (message: { type(): string; text(): string; location(): { url: string } }) => {
    // The browser notes the status of the page itself, which the row says.
    const isOwnStatus = /status of 404/.test(message.text()) && message.location().url === page.url();
    if (message.type() === 'error' && !isOwnStatus) tell(`console: ${message.text()}`);
  };
  const onError = (error: Error) => tell(`thrown: ${error}`);
  const onRequest = (request: { url(): string }) => {
    const address = new URL(request.url());
    if (/^https?:$/.test(address.protocol) && address.origin !== origin) tell(`leaves: ${request.url()}`);
  };
  page.on('console', onConsole);
  page.on('pageerror', onError);
  page.on('request', onRequest);
  return () => {
    page.off('console', onConsole);
    page.off('pageerror', onError);
    page.off('request', onRequest);
  };
}
