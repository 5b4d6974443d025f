import { Link, type LinkProps } from 'react-router'
import { cx } from '@/shared/lib/cx'
import styles from './TextLink.module.css'

interface Props extends LinkProps {
  // A plain link has the colour of the text around it, and an underlined one shows in running text.
  look?: 'coloured' | 'plain' | 'underlined'
}

// TextLink is a link inside text or a table, to a page of the site.
export function TextLink({ look = 'coloured', className, ...props }: Props) {
  return <Link className={cx(styles.link, styles[look], className)} {...props} />
}
