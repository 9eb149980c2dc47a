import { MAPS_OF_BUNDLES, VITE_MAPS } from './readable-traces.ts';
import { type Guides, install, npm, verify } from './snippet.ts';

const afterDeploy = 'Deploy the function, then call it once.';

/** Functions that a cloud starts. */
export const SERVERLESS_GUIDES: Guides = {
  'node-cloudflare-workers': {
    docs: 'javascript/guides/cloudflare/',
    traces: VITE_MAPS,
    steps: (dsn) => [
      npm('@sentry/cloudflare'),
      {
        title: 'Turn on Node.js compatibility',
        hint: 'The SDK needs AsyncLocalStorage.',
        into: 'wrangler.toml',
        text: 'compatibility_flags = ["nodejs_compat"]',
      },
      {
        title: 'Initialize',
        hint: 'Wrap the handler of your Worker.',
        file: 'src/index.ts',
        text: `import * as Sentry from '@sentry/cloudflare';

export default Sentry.withSentry(() => ({ dsn: '${dsn}' }), {
  async fetch() {
    throw new Error('Hello from Cloudflare Workers');
  },
});`,
      },
      verify('npx wrangler dev', 'Start the Worker, then open the printed URL.'),
    ],
  },
  'node-awslambda': {
    docs: 'javascript/guides/aws-lambda/',
    traces: MAPS_OF_BUNDLES,
    steps: (dsn) => [
      npm('@sentry/aws-serverless'),
      {
        title: 'Initialize',
        hint: 'Set these environment variables for the function. Your handler needs no changes.',
        text: `NODE_OPTIONS="--import @sentry/aws-serverless/awslambda-auto"
SENTRY_DSN="${dsn}"`,
      },
      verify(
        `export const handler = async () => {
  throw new Error('Hello from AWS Lambda');
};`,
        afterDeploy,
      ),
    ],
  },
  'node-gcpfunctions': {
    docs: 'javascript/guides/gcp-functions/',
    traces: MAPS_OF_BUNDLES,
    steps: (dsn) => [
      npm('@sentry/google-cloud-serverless'),
      {
        title: 'Initialize',
        hint: 'Load the SDK before everything else, and wrap each function.',
        file: 'index.js',
        text: `const Sentry = require('@sentry/google-cloud-serverless');

Sentry.init({
  dsn: '${dsn}',
});

exports.breakTheWorld = Sentry.wrapHttpFunction(() => {
  throw new Error('Hello from Google Cloud Functions');
});`,
      },
      verify('gcloud functions deploy breakTheWorld --trigger-http --runtime nodejs22', afterDeploy),
    ],
  },
  'python-awslambda': {
    docs: 'python/integrations/aws-lambda/',
    traces: null,
    steps: (dsn) => [
      install('pip install --target . sentry-sdk', 'Run this in the folder that you deploy.'),
      {
        title: 'Initialize',
        file: 'lambda_function.py',
        text: `import sentry_sdk
from sentry_sdk.integrations.aws_lambda import AwsLambdaIntegration

sentry_sdk.init(
    dsn="${dsn}",
    integrations=[AwsLambdaIntegration()],
)

def lambda_handler(event, context):
    raise RuntimeError("Hello from AWS Lambda")`,
      },
      verify('aws lambda invoke --function-name my-function response.json', afterDeploy),
    ],
  },
};
