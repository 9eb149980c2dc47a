import { GAME_SYMBOLS } from './readable-traces.ts';
import { type Guides, install, verify } from './snippet.ts';

export const GAME_GUIDES: Guides = {
  unity: {
    docs: 'unity/',
    traces: GAME_SYMBOLS,
    steps: (dsn) => [
      install(
        'https://github.com/getsentry/unity.git',
        'In Unity, open Window > Package Manager, choose Add package from git URL, and enter this URL.',
      ),
      { title: 'Initialize', hint: 'Open Tools > Sentry, and enter the DSN.', text: dsn },
      verify(
        `using UnityEngine;

public class BreakTheWorld : MonoBehaviour
{
    private void Start()
    {
        throw new System.InvalidOperationException("Hello from Unity");
    }
}`,
        'Add this script to an object of the scene, and press Play.',
      ),
    ],
  },
  unreal: {
    docs: 'unreal/',
    traces: GAME_SYMBOLS,
    steps: (dsn) => [
      install(
        'PublicDependencyModuleNames.AddRange(new string[] { "Sentry" });',
        'Copy the plugin from a release of github.com/getsentry/sentry-unreal into the Plugins folder of your project. To use it from C++, add the module to the .Build.cs file of your game.',
      ),
      {
        title: 'Initialize',
        hint: 'Or open Project Settings > Plugins > Sentry, and enter the DSN.',
        into: 'Config/DefaultEngine.ini',
        text: `[/Script/Sentry.SentrySettings]
Dsn=${dsn}
InitAutomatically=True`,
      },
      verify(
        `#include "SentrySubsystem.h"

USentrySubsystem* Sentry = GEngine->GetEngineSubsystem<USentrySubsystem>();
Sentry->CaptureMessage(TEXT("Hello from Unreal Engine"), ESentryLevel::Error);`,
        'Run this when a level starts.',
      ),
    ],
  },
  godot: {
    docs: 'godot/',
    traces: GAME_SYMBOLS,
    steps: (dsn) => [
      install(
        'addons/sentry',
        'Download a release of github.com/getsentry/sentry-godot, copy this folder into your project, and restart the editor. Godot 4.5 or newer is required.',
      ),
      {
        title: 'Initialize',
        hint: 'Or open Project > Project Settings > Sentry > Options, and enter the DSN.',
        into: 'project.godot',
        text: `[sentry]

options/dsn="${dsn}"`,
      },
      verify(
        `extends Node

func _ready():
	SentrySDK.capture_message("Hello from Godot", SentrySDK.LEVEL_ERROR)`,
        'Attach this script to a node of the scene, and run the project. Script errors are captured automatically.',
      ),
    ],
  },
};
