/** The symbols of platform-logos.svg. */
const LOGOS: ReadonlySet<string> = new Set(
  (
    'android angular apple astro awslambda bun c capacitor celery cloudflare-workers cordova cpp dart deno django dotnet ' +
    'electron elixir ember expo express fastapi fastify flask flutter gatsby go godot hono ionic java javascript koa ' +
    'kotlin laravel nestjs nextjs node nuxt perl php powershell python qt rails react react-router remix ruby rust solid ' +
    'spring spring-boot svelte symfony unity unknown unreal vue'
  ).split(' '),
);

/** Names of SDKs and events for what has the logo of something else. */
const SAME_LOGO: Readonly<Record<string, string>> = {
  cocoa: 'apple',
  csharp: 'dotnet',
  minidump: 'cpp',
  native: 'cpp',
  objc: 'apple',
  'react-native': 'react',
  solidstart: 'solid',
  sveltekit: 'svelte',
};

/**
 * The symbol for a platform of a project (`python-django`) or an event (`cocoa`): its own, that of the framework it ends with,
 * or that of its language. A framework without a logo has the one of its language.
 */
export function logoOf(platform: string | null): string {
  const words = (platform ?? '').toLowerCase().split('-');
  const candidates = [...words.keys()].map((from) => words.slice(from).join('-'));
  for (const name of [...candidates, words[0] ?? '']) {
    const logo = SAME_LOGO[name] ?? name;
    if (LOGOS.has(logo)) return logo;
  }
  return 'unknown';
}
