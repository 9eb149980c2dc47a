import { NATIVE_SYMBOLS, RUST_SYMBOLS } from './readable-traces.ts';
import { type Guides, install, type SnippetStep, verify } from './snippet.ts';

const BUILD_AND_LINK: SnippetStep = install(
  `cmake -B build -D CMAKE_BUILD_TYPE=RelWithDebInfo
cmake --build build --parallel
cmake --install build --prefix install`,
  'Download a release from github.com/getsentry/sentry-native, then build it in its folder.',
);

const cProgram = (dsn: string): string => `#include <sentry.h>

int main(void)
{
    sentry_options_t *options = sentry_options_new();
    sentry_options_set_dsn(options, "${dsn}");
    sentry_options_set_database_path(options, ".sentry-native");
    sentry_init(options);

    sentry_capture_event(sentry_value_new_message_event(
        SENTRY_LEVEL_ERROR, "app", "Hello from native code"));

    /* Sends what is waiting. */
    sentry_close();
}`;

/** Programs that are compiled for one machine. */
export const NATIVE_GUIDES: Guides = {
  rust: {
    docs: 'rust/',
    traces: RUST_SYMBOLS,
    steps: (dsn) => [
      install('cargo add sentry'),
      {
        title: 'Initialize',
        file: 'src/main.rs',
        text: `fn main() {
    let _guard = sentry::init(
        sentry::ClientOptions::new()
            .dsn("${dsn}")
            .maybe_release(sentry::release_name!()),
    );

    panic!("Hello from Rust");
}`,
      },
      verify('cargo run'),
    ],
  },
  native: {
    docs: 'native/',
    traces: NATIVE_SYMBOLS,
    steps: (dsn) => [
      BUILD_AND_LINK,
      { title: 'Initialize', file: 'main.c', text: cProgram(dsn) },
      verify(
        'cc main.c -I install/include -L install/lib -l sentry -o app && LD_LIBRARY_PATH=install/lib ./app',
        'With CMake, use find_package(sentry) and link sentry::sentry instead.',
      ),
    ],
  },
  'native-qt': {
    docs: 'native/guides/qt/',
    traces: NATIVE_SYMBOLS,
    steps: (dsn) => [
      install(
        `cmake -B build -D SENTRY_INTEGRATION_QT=YES -D CMAKE_BUILD_TYPE=RelWithDebInfo
cmake --build build --parallel
cmake --install build --prefix install`,
        'Download a release from github.com/getsentry/sentry-native, then build it in its folder.',
      ),
      {
        title: 'Initialize',
        file: 'main.cpp',
        text: `#include <QApplication>
#include <sentry.h>

int main(int argc, char *argv[])
{
    sentry_options_t *options = sentry_options_new();
    sentry_options_set_dsn(options, "${dsn}");
    sentry_options_set_database_path(options, ".sentry-native");
    sentry_init(options);

    QApplication app(argc, argv);
    // Messages of Qt become breadcrumbs and events.
    qCritical("Hello from Qt");

    sentry_close();
    return 0;
}`,
      },
      verify(
        'cmake --build . && ./app',
        'Link sentry::sentry in CMakeLists.txt, then build and start the app.',
      ),
    ],
  },
};
