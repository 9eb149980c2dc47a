import type { Frame } from '#protocol/event.ts';

/** What tells code of libraries and of the runtime from a user's own, on one family of platforms. */
type Rules = {
  /** Matches the module or namespace of foreign code. */
  foreignModule?: RegExp;
  /** Matches the absolute path or file name of foreign code. */
  foreignPath?: RegExp;
  /** Matches the function of foreign code. */
  foreignFunction?: RegExp;
  /** Matches the library, jar or image of foreign code. */
  foreignPackage?: RegExp;
  /** Matches the image of a user's own code. */
  ownPackage?: RegExp;
  /** Whether code with a location that no rule calls foreign is the user's own. */
  restIsOwn: boolean;
};

/** What `data.orig_in_app` of a frame holds when `in_app` is a guess, in Sentry's coding. */
const SDK_SAID_NOTHING = -1;

/**
 * Fills `in_app` where the SDK did not say it. Foreign code is known by its place. Code that no rule knows becomes
 * the user's own only in a stack whose SDK said nothing at all; else the SDK meant its silence, and null stays.
 */
export function guessInApp(frames: readonly Frame[], platform: string): void {
  const sdkIsSilent = frames.every((frame) => frame.in_app === null);
  for (const frame of frames) {
    if (frame.in_app !== null) continue;
    const rules = rulesOf(frame.platform ?? platform);
    if (rules === undefined) continue;
    const guess = guessFrame(frame, rules);
    if (guess === null || (guess && !sdkIsSilent)) continue;
    frame.in_app = guess;
    frame.data = { ...frame.data, orig_in_app: SDK_SAID_NOTHING };
  }
}

function guessFrame(frame: Frame, rules: Rules): boolean | null {
  const path = frame.abs_path ?? frame.filename ?? '';
  if (matches(rules.foreignModule, frame.module)) return false;
  if (matches(rules.foreignPath, path)) return false;
  if (frame.filename && matches(rules.foreignPath, frame.filename)) return false;
  if (matches(rules.foreignFunction, frame.function)) return false;
  if (matches(rules.foreignPackage, frame.package)) return false;
  if (matches(rules.ownPackage, frame.package)) return true;
  const hasLocation = path !== '' || Boolean(frame.module);
  return rules.restIsOwn && hasLocation ? true : null;
}

const matches = (pattern: RegExp | undefined, text: string | null | undefined): boolean =>
  pattern !== undefined && text !== undefined && text !== null && text !== '' && pattern.test(text);

const JAVASCRIPT: Rules = {
  foreignPath:
    /(?:^|[\\/])(?:node_modules|bower_components|jspm_packages)[\\/]|^(?:node|internal|native|electron|chrome|chrome-extension|moz-extension|safari-extension|safari-web-extension|ms-browser-extension|webkit-masked-url|resource):|^internal\/|^<anonymous>$|^\[native code\]$|^(?:https?:)?\/\/(?:cdn\.jsdelivr\.net|cdnjs\.cloudflare\.com|unpkg\.com|ajax\.googleapis\.com|code\.jquery\.com|www\.google-analytics\.com|www\.googletagmanager\.com|connect\.facebook\.net|browser\.sentry-cdn\.com)\/|webpack[\\/](?:bootstrap|runtime)/,
  foreignModule: /^(?:@sentry|raven)(?:[/.]|$)/,
  restIsOwn: true,
};

const PYTHON: Rules = {
  foreignPath:
    /[\\/](?:site-packages|dist-packages)[\\/]|[\\/]lib[\\/]python\d(?:\.\d+)?[\\/]|[\\/]Python\d+[\\/]Lib[\\/]|^<(?:frozen|string|stdin|template|__array_function__)/,
  foreignModule:
    /^(?:sentry_sdk|raven|importlib|asyncio|concurrent|threading|runpy|wsgiref|socketserver)(?:\.|$)/,
  restIsOwn: true,
};

const JVM_ROOTS =
  'java javax jdk sun com.sun jakarta kotlin kotlinx scala groovy clojure android androidx com.android dalvik libcore ' +
  'org.apache org.springframework org.hibernate org.eclipse org.jboss org.junit junit org.gradle org.slf4j org.codehaus ' +
  'org.glassfish org.aspectj org.mockito org.w3c org.xml org.postgresql org.mariadb com.mysql oracle org.h2 com.zaxxer ' +
  'ch.qos io.netty io.quarkus io.vertx io.micronaut io.micrometer io.reactivex io.projectreactor io.ktor io.grpc io.undertow ' +
  'io.smallrye io.opentelemetry io.sentry reactor rx okhttp3 okio retrofit2 feign akka play net.bytebuddy net.sf.cglib ' +
  'com.fasterxml com.google.android com.google.common com.google.firebase com.google.gson com.google.inject com.google.protobuf ' +
  'com.intellij com.facebook.react com.squareup com.bumptech.glide dagger jdk.internal worker.org.gradle';

const JVM: Rules = {
  foreignModule: new RegExp(
    `^(?:${JVM_ROOTS.replaceAll('.', '\\.').split(' ').join('|')})\\.|\\$\\$(?:Lambda|EnhancerBy|FastClassBy)|\\$Proxy\\d`,
  ),
  restIsOwn: true,
};

const PHP: Rules = {
  foreignPath: /(?:^|[\\/])vendor[\\/]|^\[internal\]$|^Standard input code/,
  restIsOwn: true,
};

const RUBY: Rules = {
  foreignPath:
    /[\\/](?:gems|rubygems|vendor[\\/]bundle|bundler|rubies|\.rbenv|\.rvm)[\\/]|[\\/]lib[\\/]ruby[\\/]|^<internal:|^\(eval/,
  restIsOwn: true,
};

const GO: Rules = {
  foreignModule:
    /^(?:runtime|testing|net|net\/http|reflect|sync|syscall|internal|bufio|bytes|context|crypto|database\/sql|encoding|errors|fmt|io|log|os|path|strconv|strings|time)(?:[/.]|$)|^(?:github\.com\/getsentry\/sentry-go|golang\.org\/x|google\.golang\.org)(?:[/.]|$)/,
  foreignPath:
    /[\\/](?:pkg[\\/]mod|vendor|third_party)[\\/]|[\\/]go[\\/]src[\\/](?:runtime|net|testing|reflect|sync)[\\/]|^_cgo/,
  restIsOwn: true,
};

const DOTNET: Rules = {
  foreignModule:
    /^(?:System|Microsoft|Windows|Mono|Sentry|Interop|UnityEngine|UnityEditor|Unity|Newtonsoft|Serilog|NLog|log4net|Autofac|AutoMapper|Castle|Dapper|Hangfire|MediatR|Npgsql|MySql|RabbitMQ|StackExchange|Swashbuckle|Polly|Grpc|Google|FSharp|NUnit|Xunit|xunit)(?:[.+]|$)/,
  foreignFunction: /^(?:UnityEngine|UnityEditor|Unity|System|Microsoft)\./,
  foreignPath: /[\\/](?:PackageCache|BuiltInPackages)[\\/]/,
  restIsOwn: true,
};

const RUST: Rules = {
  foreignFunction:
    /^(?:<?(?:core|std|alloc|proc_macro|sentry\w*|tokio|futures\w*|hyper|actix\w*|backtrace|log|rayon)(?:::|\s)|__rust_|rust_(?:begin_unwind|panic)|_start$|__libc_start|start_thread$|clone$)/,
  foreignPath: /[\\/]\.cargo[\\/]|[\\/]rustc[\\/]|[\\/]library[\\/](?:core|std|alloc)[\\/]/,
  foreignPackage: /^\/(?:usr\/)?lib|^linux-(?:gate|vdso)/,
  restIsOwn: true,
};

const NATIVE: Rules = {
  foreignPackage:
    /^\/(?:usr\/lib|usr\/local\/lib|lib|lib64|System\/Library|Library\/Developer|usr\/libexec|system\/|vendor\/|apex\/|lib\/)|^[A-Za-z]:\\Windows\\|^[A-Za-z]:\\Program Files(?: \(x86\))?\\(?:NVIDIA|AMD|Intel)|\.dylib$|^linux-(?:gate|vdso)|^(?:libc|libm|ld|libpthread|libstdc\+\+|libart|libandroid\w*|libbinder|libutils|libhwui|libsystem_\w+|libdispatch|libobjc|libdyld|libswift\w+)[.-]|^(?:kernel32|kernelbase|ntdll|user32|ucrtbase|msvcrt|vcruntime\w*|rpcrt4|combase|dxgi|d3d\w+)(?:\.dll)?$|^(?:UIKit(?:Core)?|Foundation|CoreFoundation|CFNetwork|SwiftUI|QuartzCore|GraphicsServices|AppKit|HIToolbox|JavaScriptCore|WebKit|WebCore|CoreData|CoreGraphics|CoreText|CoreImage|CoreMedia|AVFoundation|Metal|IOKit|AttributeGraph|CoreAutoLayout|Combine|FrontBoardServices|BackBoardServices|RunningBoardServices|dyld\w*)$/i,
  foreignPath: /[\\/](?:usr[\\/]include|Xcode\.app|MacOSX\.sdk|VC[\\/]Tools|Windows Kits|vctools)[\\/]/i,
  foreignFunction:
    /^(?:std::|boost::|__cxa_|__gxx_|_start$|__libc_|start_thread$|__pthread_|_pthread_|thread_start$|BaseThreadInitThunk$|RtlUserThreadStart$|invoke_main$|__scrt_|objc_msgSend|objc_exception_throw|_objc_|swift_|_dispatch_|dispatch_|art::|abort$|raise$|__pthread_kill$|__exceptionPreprocess$|<compiler-generated>)/,
  // An image with its full path that is not the system's; bare names do not tell.
  ownPackage: /^(?:\/|[A-Za-z]:\\)/,
  restIsOwn: false,
};

const DART: Rules = {
  foreignPath: /^(?:dart:|package:(?:flutter|sentry\w*|dio|http|bloc|provider|riverpod)[/:]|org-dartlang-)/,
  restIsOwn: true,
};

const ELIXIR: Rules = {
  foreignPath:
    /(?:^|\/)deps\/|^\(?(?:elixir|stdlib|kernel|phoenix|plug|ecto\w*|cowboy\w*)\b|^lib\/(?:gen_server|proc_lib|elixir)/,
  restIsOwn: true,
};

const RULES: ReadonlyMap<string, Rules> = new Map([
  ['javascript', JAVASCRIPT],
  ['node', JAVASCRIPT],
  ['python', PYTHON],
  ['java', JVM],
  ['kotlin', JVM],
  ['groovy', JVM],
  ['php', PHP],
  ['ruby', RUBY],
  ['go', GO],
  ['csharp', DOTNET],
  ['rust', RUST],
  ['native', NATIVE],
  ['c', NATIVE],
  ['cocoa', NATIVE],
  ['objc', NATIVE],
  ['swift', NATIVE],
  ['dart', DART],
  ['elixir', ELIXIR],
]);

const rulesOf = (platform: string): Rules | undefined =>
  RULES.get(platform) ??
  (platform.startsWith('javascript') || platform.startsWith('node') ? JAVASCRIPT : undefined);
