import { t } from '@lingui/core/macro'
import { useCallback, useEffect, useRef, useState } from 'react'
import { api, type LoginStatus, type RoomLink } from '@/api'
import { errorText } from '@/api/error'
import { toaster } from '@/ui/toaster'

const POLL_MS = 3000

/** How far a login has come. */
export type LoginStep =
  | { stage: 'requesting' }
  | { stage: 'unavailable' }
  | { stage: 'open'; link: RoomLink; status: LoginStatus | null }
  | { stage: 'ended'; status: LoginStatus }

/** Reports whether other logins are before this one, so that its room is not open yet. */
export const isInLine = (step: LoginStep): boolean => step.stage === 'open' && !step.link.roomLink

const ENDED: LoginStatus['status'][] = ['failed', 'timeout', 'invalid']

/** Requests a verification room and polls its status until the login has succeeded or ended. */
export function useLoginRoom() {
  const [step, setStep] = useState<LoginStep>({ stage: 'requesting' })
  const [requestLink] = api.endpoints.requestRoomLink.useLazyQuery()
  const [readStatus] = api.endpoints.getLoginStatus.useLazyQuery()
  // Answers of an earlier request are ignored.
  const requestId = useRef(0)

  const load = useCallback(async (): Promise<LoginStep | null> => {
    const current = ++requestId.current
    const { data, error } = await requestLink()
    if (current !== requestId.current) return null
    if (data) return { stage: 'open', link: data, status: null }
    const title = errorText(error, t`Unable to fetch verification room link.`)
    toaster.error({ id: title, title })
    return { stage: 'unavailable' }
  }, [requestLink])

  const ignoreAnswers = useCallback(() => {
    requestId.current++
  }, [])
  useEffect(() => {
    void load().then((next) => next && setStep(next))
    return ignoreAnswers
  }, [load, ignoreAnswers])
  const request = () => {
    setStep({ stage: 'requesting' })
    void load().then((next) => next && setStep(next))
  }

  const sessionId = step.stage === 'open' && step.status?.status !== 'success' ? step.link.sessionId : null

  const poll = useCallback(async () => {
    if (!sessionId) return
    const current = requestId.current
    const { data, error } = await readStatus({ sessionId })
    if (error) console.error('The login status could not be read.', error)
    if (!data || current !== requestId.current) return
    const { status, roomLink, place, expiresIn } = data
    setStep((now) => {
      if (now.stage !== 'open') return now
      if (ENDED.includes(status.status)) return { stage: 'ended', status }
      const link = now.link.roomLink ? now.link : { ...now.link, roomLink, place, expiresIn }
      return { stage: 'open', link, status }
    })
  }, [sessionId, readStatus])

  useEffect(() => {
    if (!sessionId) return
    const timer = setInterval(poll, POLL_MS)
    // At once when the player comes back from the room.
    const onVisible = () => document.visibilityState === 'visible' && void poll()
    document.addEventListener('visibilitychange', onVisible)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', onVisible)
    }
  }, [sessionId, poll])

  /** Ends the polling: the code was right. */
  const finish = () => {
    ignoreAnswers()
    setStep((now) =>
      now.stage === 'open'
        ? { ...now, status: { status: 'success', reason: '', message: t`Successfully logged in!` } }
        : now,
    )
  }

  return { step, request, poll, finish }
}
