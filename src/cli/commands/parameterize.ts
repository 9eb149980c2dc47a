import { type CliCommand, EXIT } from '#cli/cli-command.ts';
import { readBounded } from '#cli/read-bounded.ts';
import { parameterizeMessage } from '#product/explain/explain-items.ts';

const BYTES_MAX = 32 * 1024 * 1024;

export const parameterizeCommand: CliCommand = {
  name: 'parameterize',
  positionals: [],
  options: { lines: { type: 'boolean', meaning: 'Each line of the input is a message of its own' } },
  summary: 'Print a message of standard input as it is grouped by: with what varies in it replaced',
  async run(input, { io }) {
    const text = (await readBounded('-', BYTES_MAX)).toString('utf8').replace(/\r?\n$/, '');
    const messages = input.isSet('lines') ? text.split(/\r?\n/) : [text];
    io.out(messages.map(parameterizeMessage).join('\n'));
    return EXIT.done;
  },
};
