// The settings of the emulated service, as part of the entry point `drydock/emulator`. Commands that need nothing else of it start faster.

export {
  defaultSettings,
  type SettingName,
  type SettingRule,
  type Settings,
  settingIssues,
  settingRules,
  settingsSchema,
} from './app/settings.ts';
export type { OrderLimits } from './rendering/limits.ts';
