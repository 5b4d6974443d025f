import { selectSession } from '@/session/session'
import { useAppSelector } from './hooks'

/** Returns the player who is logged in, or null for a visitor. */
export const useSession = () => useAppSelector(selectSession)
