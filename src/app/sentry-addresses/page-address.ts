/** `query` is what the page asks for beyond what was asked already; empty for nothing. */
export type PageAddress = { segments: readonly string[]; query: string };

export const pageAddress = (segments: readonly string[], query = ''): PageAddress => ({ segments, query });
