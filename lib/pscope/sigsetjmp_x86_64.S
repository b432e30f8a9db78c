# sigsetjmp(3): notes the user thread's signal mask, then becomes libc's function, which must find
# the caller's frame on top of the stack. See wrap_jump.c.

	.text

	.globl	__sigsetjmp
	.type	__sigsetjmp, @function
	.p2align 4
__sigsetjmp:
	pushq	%rdi
	pushq	%rsi
	subq	$8, %rsp
	call	jump_prepare
	addq	$8, %rsp
	popq	%rsi
	popq	%rdi
	jmp	*%rax
	.size	__sigsetjmp, . - __sigsetjmp

	.section .note.GNU-stack, "", @progbits
