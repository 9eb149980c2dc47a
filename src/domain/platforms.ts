/** A platform, with the ID that SDKs and Sentry use. */
export type Platform = { id: string; name: string /** Other words that people look for. */; also?: string };

export type PlatformGroup = { label: string; platforms: readonly Platform[] };

const group = (
  label: string,
  ...platforms: readonly [id: string, name: string, also?: string][]
): PlatformGroup => ({
  label,
  platforms: platforms.map(([id, name, also]) => ({ id, name, also })),
});

/** In the order of the picker. Without import, since browsers load it. */
export const PLATFORM_GROUPS: readonly PlatformGroup[] = [
  group(
    'Browser',
    ['javascript', 'JavaScript', 'browser typescript'],
    ['javascript-react', 'React'],
    ['javascript-vue', 'Vue'],
    ['javascript-angular', 'Angular'],
    ['javascript-svelte', 'Svelte'],
    ['javascript-solid', 'Solid'],
    ['javascript-ember', 'Ember'],
  ),
  group(
    'Full stack',
    ['javascript-nextjs', 'Next.js', 'react'],
    ['javascript-nuxt', 'Nuxt', 'vue'],
    ['javascript-sveltekit', 'SvelteKit'],
    ['javascript-astro', 'Astro'],
    ['javascript-react-router', 'React Router'],
    ['javascript-remix', 'Remix', 'react'],
    ['javascript-solidstart', 'SolidStart'],
    ['javascript-tanstackstart-react', 'TanStack Start', 'react'],
    ['javascript-gatsby', 'Gatsby', 'react'],
  ),
  group(
    'Mobile',
    ['apple-ios', 'iOS', 'apple cocoa swift objective-c swiftui ipados'],
    ['android', 'Android', 'kotlin java'],
    ['react-native', 'React Native'],
    ['react-native-expo', 'Expo', 'react native'],
    ['flutter', 'Flutter', 'dart'],
    ['kotlin-multiplatform', 'Kotlin Multiplatform', 'kmp compose'],
    ['capacitor', 'Capacitor', 'ionic'],
    ['dotnet-maui', '.NET MAUI', 'c# xamarin'],
  ),
  group(
    'Server',
    ['node', 'Node.js', 'javascript typescript'],
    ['node-express', 'Express', 'node'],
    ['node-fastify', 'Fastify', 'node'],
    ['node-koa', 'Koa', 'node'],
    ['node-hapi', 'Hapi', 'node'],
    ['node-hono', 'Hono', 'node'],
    ['node-nestjs', 'NestJS', 'node'],
    ['bun', 'Bun', 'javascript typescript'],
    ['deno', 'Deno', 'javascript typescript'],
    ['python', 'Python'],
    ['python-django', 'Django'],
    ['python-flask', 'Flask'],
    ['python-fastapi', 'FastAPI'],
    ['python-starlette', 'Starlette'],
    ['python-aiohttp', 'AIOHTTP'],
    ['python-tornado', 'Tornado'],
    ['python-celery', 'Celery'],
    ['go', 'Go', 'golang'],
    ['go-http', 'net/http'],
    ['go-gin', 'Gin'],
    ['go-echo', 'Echo'],
    ['go-fiber', 'Fiber'],
    ['java', 'Java'],
    ['java-spring-boot', 'Spring Boot'],
    ['java-spring', 'Spring'],
    ['java-logback', 'Logback'],
    ['kotlin', 'Kotlin', 'jvm'],
    ['php', 'PHP'],
    ['php-laravel', 'Laravel'],
    ['php-symfony', 'Symfony'],
    ['ruby', 'Ruby'],
    ['ruby-rails', 'Rails'],
    ['ruby-rack', 'Rack', 'sinatra'],
    ['dotnet', '.NET', 'c# f#'],
    ['dotnet-aspnetcore', 'ASP.NET Core', 'c#'],
    ['elixir', 'Elixir', 'erlang'],
    ['elixir-phoenix', 'Phoenix'],
    ['rust', 'Rust'],
    ['dart', 'Dart'],
    ['powershell', 'PowerShell', 'windows'],
  ),
  group(
    'Serverless',
    ['node-cloudflare-workers', 'Cloudflare Workers', 'pages edge'],
    ['node-awslambda', 'AWS Lambda (Node.js)', 'amazon'],
    ['python-awslambda', 'AWS Lambda (Python)', 'amazon'],
    ['node-gcpfunctions', 'Google Cloud Functions', 'gcp'],
  ),
  group(
    'Desktop and native',
    ['electron', 'Electron', 'javascript'],
    ['apple-macos', 'macOS', 'apple cocoa swift objective-c'],
    ['dotnet-wpf', 'WPF', 'windows c#'],
    ['dotnet-winforms', 'Windows Forms', 'c#'],
    ['native', 'C and C++', 'native crashpad breakpad minidump windows linux'],
    ['native-qt', 'Qt', 'c++'],
  ),
  group(
    'Games',
    ['unity', 'Unity', 'c#'],
    ['unreal', 'Unreal Engine', 'c++'],
    ['godot', 'Godot', 'gdscript'],
  ),
  group('Other', ['other', 'Other', 'curl http opentelemetry']),
];

export const PLATFORMS: readonly Platform[] = PLATFORM_GROUPS.flatMap(({ platforms }) => platforms);

/** The platform with that ID; null for one that this list does not know. */
export function findPlatform(id: string | null): Platform | null {
  return PLATFORMS.find((platform) => platform.id === id) ?? null;
}

/** A name for people; the ID itself when the list does not know it. */
export const platformName = (id: string | null): string =>
  findPlatform(id)?.name ?? (id === null || id === '' ? 'Unknown platform' : id);

/** The groups with the platforms that match every word of `search`. */
export function searchPlatforms(search: string): readonly PlatformGroup[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  return PLATFORM_GROUPS.flatMap(({ label, platforms }) => {
    const found = platforms.filter(({ id, name, also = '' }) => {
      const text = `${name} ${id} ${also} ${label}`.toLowerCase();
      return words.every((word) => text.includes(word));
    });
    return found.length > 0 ? [{ label, platforms: found }] : [];
  });
}
