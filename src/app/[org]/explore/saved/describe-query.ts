/** What a question is about, as a list says it. */
export const describeQuery = (page: string, query: string): string =>
  query === '' ? `all ${page}` : `${page}: ${query}`;
