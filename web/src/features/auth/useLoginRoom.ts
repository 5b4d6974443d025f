import { useCallback, useEffect, useRef, useState } from 'react'
import { api, type LoginStatus, type RoomLink } from '@/shared/api'
import { problemMessage } from '@/shared/api/problem'
import { toaster } from '@/shared/components/toaster'

const POLL_MS = 3000
// While the login waits in line, its place changes every few seconds.
const LINE_POLL_MS = 1000

// Room is how far a login has come.
export type Room =
  | { stage: 'requesting' }
  | { stage: 'unavailable' }
  | { stage: 'open'; link: RoomLink; status: LoginStatus | null }
  | { stage: 'over'; status: LoginStatus }

const ENDED: LoginStatus['status'][] = ['failed', 'timeout', 'invalid']

// useLoginRoom asks for a verification room and follows it until it has served or ended. Whoever shows it calls ask
// again after that.
export function useLoginRoom() {
  const [room, setRoom] = useState<Room>({ stage: 'requesting' })
  const [requestLink] = api.endpoints.requestRoomLink.useLazyQuery()
  const [readStatus] = api.endpoints.getLoginStatus.useLazyQuery()
  const turn = useRef(0)

  const ask = useCallback(async () => {
    const mine = ++turn.current
    setRoom({ stage: 'requesting' })
    const { data, error } = await requestLink()
    if (mine !== turn.current) return
    if (data) {
      setRoom({ stage: 'open', link: data, status: null })
      return
    }
    const title = problemMessage(error, 'Unable to fetch verification room link.')
    if (!toaster.isVisible(title)) toaster.error({ id: title, title })
    setRoom({ stage: 'unavailable' })
  }, [requestLink])

  useEffect(() => {
    void ask()
    return () => {
      turn.current++
    }
  }, [ask])

  const sessionId = room.stage === 'open' && room.status?.status !== 'success' ? room.link.sessionId : null

  const inLine = room.stage === 'open' && !room.link.roomLink

  const poll = useCallback(async () => {
    if (!sessionId) return
    const mine = turn.current
    const { data, error } = await readStatus({ sessionId })
    if (error) console.error('The login status could not be read.', error)
    if (!data || mine !== turn.current) return
    const { status, roomLink, place, expiresIn } = data
    setRoom((now) => {
      if (now.stage !== 'open') return now
      if (ENDED.includes(status.status)) return { stage: 'over', status }
      const link = now.link.roomLink ? now.link : { ...now.link, roomLink, place, expiresIn }
      return { stage: 'open', link, status }
    })
  }, [sessionId, readStatus])

  useEffect(() => {
    if (!sessionId) return
    const timer = setInterval(poll, inLine ? LINE_POLL_MS : POLL_MS)
    // Whoever comes back from the room has waited long enough.
    const back = () => document.visibilityState === 'visible' && void poll()
    document.addEventListener('visibilitychange', back)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', back)
    }
  }, [sessionId, inLine, poll])

  // stop ends the following: the code was right.
  const stop = useCallback(() => {
    turn.current++
    setRoom((now) =>
      now.stage === 'open'
        ? { ...now, status: { status: 'success', message: 'Successfully logged in!' } }
        : now,
    )
  }, [])

  return { room, ask, poll, stop }
}
