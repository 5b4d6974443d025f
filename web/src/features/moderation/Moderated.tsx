import { Trans } from '@lingui/react/macro'
import { type ComponentType, lazy, Suspense } from 'react'
import { Button } from '@/ui'
import { FlagIcon } from '@/ui/icons'
import type { ReportProps } from './ReportButton'

// Without their code the page is complete.
const absent = () => ({ default: () => null })
const Report = lazy<ComponentType<ReportProps>>(() => import('./ReportButton').catch(absent))
const BeingLookedAt = lazy<ComponentType<{ recordId: string }>>(() => import('./BeingLookedAt').catch(absent))

/** Reports a thing to the moderators. Visitors are sent to the login, which leads back. */
export function ReportButton(props: ReportProps) {
  return (
    <Suspense
      fallback={
        <Button variant="ghost" size={props.small ? 'xs' : 'md'} disabled aria-busy="true" _disabled={{ opacity: 1 }}>
          <FlagIcon size={4} /> <Trans>Report</Trans>
        </Button>
      }
    >
      <Report {...props} />
    </Suspense>
  )
}

/** Says that a world record is being looked at, where it is. */
export function LookedAt(props: { recordId: string }) {
  return (
    <Suspense>
      <BeingLookedAt {...props} />
    </Suspense>
  )
}
