import { ArrowLeftIcon } from './icons'
import { TextLink } from './TextLink'

export function BackLink({ to, children }: { to: string; children: string }) {
  return (
    <TextLink to={to} display="inline-flex" alignItems="center" gap="1.5" textStyle="sm" mb="4" minH="6">
      <ArrowLeftIcon boxSize="4" /> {children}
    </TextLink>
  )
}
