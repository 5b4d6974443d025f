import { useDispatch, useSelector, useStore } from 'react-redux'
import { selectSession } from '@/session/session'
import type { AppDispatch, AppStore, RootState } from './store'

export const useAppDispatch = useDispatch.withTypes<AppDispatch>()
export const useAppSelector = useSelector.withTypes<RootState>()
export const useAppStore = useStore.withTypes<AppStore>()

/** Returns the player who is logged in, or null for a visitor. */
export const useSession = () => useAppSelector(selectSession)
