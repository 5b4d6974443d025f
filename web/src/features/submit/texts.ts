import { config } from '@/config'

const { name: game } = config.game

export const HOW_TO_SUBMIT_A_MAP = [
  `Publish your map in ${game}, so that it has a number of its own.`,
  'Finish it once with the official replay mod running: it proves that the map can be finished.',
  'Save it as a replay (.lbReplay) and upload it here, together with an image of the map.',
  'Describe the map and add tags, so that others find it.',
  'As the author you also set the medal times. Your own finish time is the author time.',
]

export const MAP_VERSIONS =
  'A map that you have changed in the game can be submitted again. Where only its looks and its texts are different, it is updated and keeps its records. Otherwise it becomes a new version with a leaderboard of its own.'

export const MAP_RULES = [
  'The replay file (.lbReplay) has at most 1MB.',
  'The map image is a WebP file under 1 MB, or the drawing of the map that the site offers.',
  'Maps are submitted by their authors, and by validators, who name the author. Only the author can set medal times.',
  'Medal times are set once, at submission. They cannot be changed afterwards.',
  MAP_VERSIONS,
]

export const HOW_TO_GET_A_REPLAY = [
  `Install the official replay mod and log in to ${game} with your account.`,
  'Play a validated map. The mod records every finish.',
  'Save your best finish as a file. Its name ends in .lbReplay.',
  'Upload it here. Nothing is sent before you press the button.',
]

export const REPLAY_RULES = [
  'Replays must be your own gameplay.',
  'They are made with the official replay mod, with no tools or edits.',
  'They are played in real time.',
  'They count on validated maps.',
  'Violations may lead to warnings, removal or bans.',
]

export const RECORD_FILE_RULE = 'The replay file (.lbReplay) has at most 1 MB.'
