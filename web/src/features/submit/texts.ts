import { t } from '@lingui/core/macro'
import { config } from '@/config'

const { name: game } = config.game

export const howToSubmitAMap = () => [
  t`Publish your map in ${game}, so that it has a number of its own.`,
  t`Finish it once with the official replay mod running: it proves that the map can be finished.`,
  t`Save it as a replay (.lbReplay) and upload it here, together with an image of the map.`,
  t`Describe the map and add tags, so that others can find it.`,
  t`As the author you also set the medal times. Your own finish time is the author time.`,
]

export const mapVersions = () =>
  t`A map that you have changed in the game can be submitted again. Where only its looks and its texts are different, it is updated and keeps its records. Otherwise it becomes a new version with a leaderboard of its own.`

export const mapRules = () => [
  t`The replay file (.lbReplay) can be up to 1MB.`,
  t`The map image is a WebP file under 1 MB, or the drawing of the map that the site offers.`,
  t`Maps are submitted by their authors, and by validators, who name the author. Only the author can set medal times.`,
  t`Medal times are set once, at submission. They cannot be changed afterwards.`,
  mapVersions(),
]

export const howToGetAReplay = () => [
  t`Install the official replay mod and log in to ${game} with your account.`,
  t`Play a validated map. The mod records every finish.`,
  t`Save your best finish as a file. Its name ends in .lbReplay.`,
  t`Upload it here. Nothing is sent before you press the button.`,
]

export const replayRules = () => [
  t`Replays must be your own gameplay.`,
  t`They are made with the official replay mod, with no tools or edits.`,
  t`They are played in real time.`,
  t`They count on validated maps.`,
  t`Violations may lead to warnings, removal or bans.`,
]

export const recordFileRule = () => t`The replay file (.lbReplay) can be up to 1 MB.`
