/** One step of connecting a program: what to run, or what to write into which file. */
export type SnippetStep = {
  title: string;
  hint?: string;
  /** The whole file, when the text is one. */
  file?: string;
  text: string;
};

/** By platform: the steps for a DSN. */
export type Snippets = Readonly<Record<string, (dsn: string) => readonly SnippetStep[]>>;

export const npm = (name: string): SnippetStep => ({ title: 'Install', text: `npm install ${name}` });
