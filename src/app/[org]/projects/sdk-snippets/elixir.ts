import { ELIXIR_SOURCES } from './readable-traces.ts';
import { type Guides, install, type SnippetStep, verify } from './snippet.ts';

const dependencies: SnippetStep = {
  ...install(`{:sentry, "~> 11.0"},
{:jason, "~> 1.4"},
{:hackney, "~> 1.20"}`),
  hint: 'Add these to deps, then run mix deps.get.',
  into: 'mix.exs',
};

const configuration = (dsn: string): SnippetStep => ({
  title: 'Initialize',
  into: 'config/config.exs',
  text: `config :sentry,
  dsn: "${dsn}",
  environment_name: Mix.env(),
  enable_source_code_context: true,
  root_source_code_paths: [File.cwd!()]`,
});

const verifyStep = verify(
  'mix sentry.send_test_event',
  'Sends a test event with the configuration of the current environment.',
);

export const ELIXIR_GUIDES: Guides = {
  elixir: {
    docs: 'elixir/',
    traces: ELIXIR_SOURCES,
    steps: (dsn) => [
      dependencies,
      configuration(dsn),
      {
        title: 'Capture crashed processes',
        hint: 'Add this to start/2 of your application.',
        into: 'lib/my_app/application.ex',
        text: `:logger.add_handler(:sentry_handler, Sentry.LoggerHandler, %{})`,
      },
      verifyStep,
    ],
  },
  'elixir-phoenix': {
    docs: 'elixir/integrations/plug_and_phoenix/',
    traces: ELIXIR_SOURCES,
    steps: (dsn) => [
      dependencies,
      configuration(dsn),
      {
        title: 'Capture request errors',
        hint: 'The first line goes above use Phoenix.Endpoint, the second below plug Plug.Parsers.',
        into: 'lib/my_app_web/endpoint.ex',
        text: `use Sentry.PlugCapture

plug Sentry.PlugContext`,
      },
      verifyStep,
    ],
  },
};
