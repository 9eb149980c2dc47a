import { APPLE_SYMBOLS, CLI_MAPS, DART_SYMBOLS, R8_MAPPINGS } from './readable-traces.ts';
import { type Guide, type Guides, install, npm, verify } from './snippet.ts';

const apple = (docs: string, app: string): Guide => ({
  docs: `apple/guides/${docs}/`,
  traces: APPLE_SYMBOLS,
  steps: (dsn) => [
    install(
      'https://github.com/getsentry/sentry-cocoa.git',
      'In Xcode, open File > Add Package Dependencies, enter this URL, and add the product Sentry to your app.',
    ),
    {
      title: 'Initialize',
      hint: 'Initialize as early as possible. With an app delegate, do it in didFinishLaunching.',
      into: `${app}.swift`,
      text: `import Sentry
import SwiftUI

@main
struct ${app}: App {
    init() {
        SentrySDK.start { options in
            options.dsn = "${dsn}"
        }
    }

    var body: some Scene {
        WindowGroup {
            ContentView()
        }
    }
}`,
    },
    verify(
      `SentrySDK.capture(error: NSError(domain: "Hello from Swift", code: 1))`,
      'Run this when a button is tapped. A debugger keeps crashes from the SDK: run without one to test a crash, and start the app again to send it.',
    ),
  ],
});

const reactNativeApp = (dsn: string): string => `import * as Sentry from '@sentry/react-native';

Sentry.init({
  dsn: '${dsn}',
});

function App() {
  return <Button title="Break the world" onPress={() => { throw new Error('Hello from React Native'); }} />;
}

export default Sentry.wrap(App);`;

/** Apps for phones, tablets and desktops. */
export const MOBILE_GUIDES: Guides = {
  'apple-ios': apple('ios', 'MyApp'),
  'apple-macos': apple('macos', 'MyApp'),
  android: {
    docs: 'android/',
    traces: R8_MAPPINGS,
    steps: (dsn) => [
      {
        ...install(
          `plugins {
    id("com.android.application")
    id("io.sentry.android.gradle") version "6.19.0"
}`,
          'The plugin adds the SDK, for Kotlin and Java, and for native crashes.',
        ),
        into: 'app/build.gradle.kts',
      },
      {
        title: 'Initialize',
        hint: 'The SDK starts with the app.',
        into: 'app/src/main/AndroidManifest.xml',
        text: `<application>
    <meta-data
        android:name="io.sentry.dsn"
        android:value="${dsn}" />
</application>`,
      },
      verify(
        `findViewById<Button>(R.id.button).setOnClickListener {
    throw IllegalStateException("Hello from Android")
}`,
        'Throw an error when a button is tapped. The crash is sent when the app starts again.',
      ),
    ],
  },
  'kotlin-multiplatform': {
    docs: 'kotlin/guides/kotlin-multiplatform/',
    traces: R8_MAPPINGS,
    steps: (dsn) => [
      {
        ...install(
          `plugins {
    id("io.sentry.kotlin.multiplatform.gradle") version "<version>"
}`,
          'Use the newest version from github.com/getsentry/sentry-kotlin-multiplatform. The plugin adds the SDK to the shared module.',
        ),
        into: 'shared/build.gradle.kts',
      },
      {
        title: 'Initialize',
        hint: 'Call this first from Android and iOS.',
        file: 'shared/src/commonMain/kotlin/SentrySetup.kt',
        text: `import io.sentry.kotlin.multiplatform.Sentry

fun initializeSentry() {
    Sentry.init { options ->
        options.dsn = "${dsn}"
    }
}`,
      },
      verify(
        `Sentry.captureException(IllegalStateException("Hello from Kotlin"))`,
        'Run this after the call.',
      ),
    ],
  },
  'react-native': {
    docs: 'react-native/',
    traces: CLI_MAPS,
    steps: (dsn) => [
      npm('@sentry/react-native', 'Then run npx pod-install for iOS.'),
      {
        title: 'Initialize',
        hint: 'The button throws a test error.',
        into: 'App.tsx',
        text: reactNativeApp(dsn),
      },
      verify('npx react-native run-android', 'Or run-ios. Tap the button.'),
    ],
  },
  'react-native-expo': {
    docs: 'react-native/manual-setup/expo/',
    traces: CLI_MAPS,
    steps: (dsn) => [
      install('npx expo install @sentry/react-native'),
      {
        title: 'Collect source maps',
        file: 'metro.config.js',
        text: `const { getSentryExpoConfig } = require('@sentry/react-native/metro');

module.exports = getSentryExpoConfig(__dirname);`,
      },
      {
        title: 'Initialize',
        hint: 'The button throws a test error.',
        into: 'app/_layout.tsx',
        text: reactNativeApp(dsn),
      },
      verify('npx expo start', 'Open the app, and tap the button. Native crashes need a development build.'),
    ],
  },
  flutter: {
    docs: 'dart/guides/flutter/',
    traces: DART_SYMBOLS,
    steps: (dsn) => [
      install('flutter pub add sentry_flutter'),
      {
        title: 'Initialize',
        into: 'lib/main.dart',
        text: `import 'package:flutter/widgets.dart';
import 'package:sentry_flutter/sentry_flutter.dart';

Future<void> main() async {
  await SentryFlutter.init(
    (options) => options.dsn = '${dsn}',
    appRunner: () => runApp(SentryWidget(child: const MyApp())),
  );
}`,
      },
      verify(
        `ElevatedButton(
  onPressed: () => throw StateError('Hello from Flutter'),
  child: const Text('Break the world'),
)`,
        'Add this to a screen, and tap the button.',
      ),
    ],
  },
  dart: {
    docs: 'dart/',
    traces: DART_SYMBOLS,
    steps: (dsn) => [
      install('dart pub add sentry'),
      {
        title: 'Initialize',
        file: 'bin/main.dart',
        text: `import 'package:sentry/sentry.dart';

Future<void> main() async {
  await Sentry.init(
    (options) => options.dsn = '${dsn}',
    appRunner: () => throw StateError('Hello from Dart'),
  );
}`,
      },
      verify('dart run bin/main.dart'),
    ],
  },
  capacitor: {
    docs: 'javascript/guides/capacitor/',
    traces: CLI_MAPS,
    steps: (dsn) => [
      npm(
        '@sentry/capacitor @sentry/react --save-exact',
        'For Angular and Vue, replace @sentry/react. For Ionic with Cordova, use sentry-cordova.',
      ),
      { title: 'Update the native projects', text: 'npx cap sync' },
      {
        title: 'Initialize',
        hint: 'The second argument is the init of the SDK for your framework.',
        into: 'src/main.tsx',
        text: `import * as Sentry from '@sentry/capacitor';
import * as SentryReact from '@sentry/react';

Sentry.init(
  {
    dsn: '${dsn}',
  },
  SentryReact.init,
);`,
      },
      verify(
        `<button
  onClick={() => {
    throw new Error('Hello from Capacitor');
  }}
>
  Break the world
</button>`,
        'Add this to a page, and tap the button.',
      ),
    ],
  },
};
