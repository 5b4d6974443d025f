import type { GameMode } from '@/api'

/** The modes of maps, by their display names. */
export const GAME_MODES: readonly GameMode[] = ['Classic', 'Grapple', 'VTOL', 'Arrows', 'Death Arrows', 'Simple']
