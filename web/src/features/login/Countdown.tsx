import { useEffect, useState } from 'react'
import { Text } from '@/ui'

/** How long the room stays open. It is no live region, which would speak every second. */
export function Countdown({ seconds }: { seconds: number }) {
  const [end] = useState(() => Date.now() + seconds * 1000)
  const [left, setLeft] = useState(seconds)
  useEffect(() => {
    const timer = setInterval(() => setLeft(Math.max(0, Math.round((end - Date.now()) / 1000))), 1000)
    return () => clearInterval(timer)
  }, [end])
  return (
    <Text textStyle="sm" color="fg.muted" fontVariantNumeric="tabular-nums">
      The room stays open for {Math.floor(left / 60)}:{String(left % 60).padStart(2, '0')}
    </Text>
  )
}
