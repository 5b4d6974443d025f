import { Trans } from '@lingui/react/macro'
import { Suspense } from 'react'
import { Button } from '@/ui'
import { FlagIcon } from '@/ui/icons'
import { lazyPart } from '@/ui/lazyPart'
import type { ReportProps } from './ReportButton'

// Without their code the page is complete.
const Report = lazyPart(() => import('./ReportButton'))
const BeingLookedAt = lazyPart(() => import('./BeingLookedAt'))

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
