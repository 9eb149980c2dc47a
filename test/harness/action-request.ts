/** What a server action finds around it; the framework makes it from what the browser sent. */
export const request = { headers: new Headers() };

// As `next/headers` and `next/cache` have them, in whose place vitest.config.ts puts this module for the contract tests.
export const headers = async () => request.headers;
export const cookies = async () => ({
  toString: () => request.headers.get('cookie') ?? '',
  get: () => undefined,
});
export const revalidatePath = () => undefined;
