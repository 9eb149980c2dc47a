/** One step of connecting a program: what to run, or what to write into which file. */
export type SnippetStep = {
  title: string;
  hint?: string;
  /** The whole file, when the text is one. */
  file?: string;
  /** The file that the text is added to, when it is a part of one that exists. */
  into?: string;
  text: string;
};

/** What a team has to do to read the code of its program in stack traces. */
export type ReadableTraces = {
  text: string;
  /** Of the page that shows how to upload, its tab; null when there is nothing to upload. */
  uploadTool: string | null;
};

export type Guide = {
  /** Below https://docs.sentry.io/platforms/ */
  docs: string;
  /** null when stack traces are readable without further steps. */
  traces: ReadableTraces | null;
  /** Each step needs only those before it, and the last one reports an error. */
  steps(dsn: string): readonly SnippetStep[];
};

/** By platform. */
export type Guides = Readonly<Record<string, Guide>>;

export const install = (text: string, hint?: string): SnippetStep => ({ title: 'Install', hint, text });

export const npm = (names: string, hint?: string): SnippetStep => install(`npm install ${names}`, hint);

export const verify = (text: string, hint?: string): SnippetStep => ({ title: 'Verify', hint, text });

/** A server that has to be started and asked for a page that fails. */
export const startAndOpen = (command: string, url: string): SnippetStep =>
  verify(command, `Start the app, then open ${url}.`);
