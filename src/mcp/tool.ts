import { type ListToolsResult, ToolSchema } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { invalid } from '#lib/errors.ts';
import type { Context } from '#product/context.ts';
import type { SourceProblem } from '#product/events/source-problem.ts';
import { hasRight, requireRight } from '#product/permissions.ts';
import type { Scope } from '#protocol/scopes.ts';

/** What the tools need besides the product. */
export type ToolHost = {
  /** Why a frame shows no source, and what to do about it, each a sentence. */
  describeSourceProblem: (problem: SourceProblem) => { what: string; next: string };
};

/** As clients list it. */
export type ListedTool = ListToolsResult['tools'][number];

export type Tool = {
  name: string;
  /** Without it the tool is not listed, and refuses; null for one that everybody may use. */
  right: Scope | null;
  /** Whether it changes something. */
  isChange: boolean;
  describe(): ListedTool;
  /** Markdown. Throws Invalid for arguments that do not fit, Forbidden without the right. */
  call(ctx: Context, args: unknown, host: ToolHost): Promise<string>;
};

type ToolDefinition<Schema extends z.ZodObject> = {
  name: string;
  title: string;
  description: string;
  right: Scope | null;
  isChange?: boolean;
  input: Schema;
  run(ctx: Context, input: z.output<Schema>, host: ToolHost): Promise<string>;
};

export function defineTool<Schema extends z.ZodObject>({
  name,
  title,
  description,
  right,
  isChange = false,
  input,
  run,
}: ToolDefinition<Schema>): Tool {
  let inputSchema: ListedTool['inputSchema'] | null = null;
  return {
    name,
    right,
    isChange,
    describe() {
      inputSchema ??= ToolSchema.shape.inputSchema.parse(z.toJSONSchema(input, { io: 'input' }));
      const annotations = {
        title,
        readOnlyHint: !isChange,
        // What these tools change can be changed back, and nothing is deleted.
        destructiveHint: false,
        openWorldHint: false,
      };
      return { name, title, description, inputSchema, annotations };
    },
    async call(ctx, args, host) {
      if (right !== null) requireRight(ctx, right);
      const parsed = input.safeParse(args ?? {});
      if (parsed.success) return run(ctx, parsed.data, host);
      const [problem] = parsed.error.issues;
      const field = problem?.path.join('.') ?? '';
      throw invalid(
        `${field === '' ? 'The arguments' : `"${field}"`} of ${name}: ${problem?.message ?? 'invalid'}`,
        field,
      );
    },
  };
}

/** Whether the caller may use the tool. */
export const isUsable = ({ actor }: Pick<Context, 'actor'>, { right }: Pick<Tool, 'right'>): boolean =>
  right === null || hasRight(actor, right);
