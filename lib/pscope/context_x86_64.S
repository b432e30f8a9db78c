# Context switch of the System V x86-64 ABI: rbx, rbp, r12-r15, MXCSR and the x87 control word.
# See context.h for what each function promises.

.macro save_context
	pushq	%rbp
	pushq	%rbx
	pushq	%r12
	pushq	%r13
	pushq	%r14
	pushq	%r15
	subq	$8, %rsp
	stmxcsr	(%rsp)
	fnstcw	4(%rsp)
	movq	%rsp, (%rdi)
.endm

.macro load_context
	ldmxcsr	(%rsp)
	fldcw	4(%rsp)
	addq	$8, %rsp
	popq	%r15
	popq	%r14
	popq	%r13
	popq	%r12
	popq	%rbx
	popq	%rbp
	ret
.endm

	.text

	.globl	context_swap
	.hidden	context_swap
	.type	context_swap, @function
	.p2align 4
context_swap:
	save_context
	movq	%rsi, %rsp
	load_context
	.size	context_swap, . - context_swap

	.globl	context_resume
	.hidden	context_resume
	.type	context_resume, @function
	.p2align 4
context_resume:
	movq	%rdi, %rsp
	load_context
	.size	context_resume, . - context_resume

	.globl	context_call
	.hidden	context_call
	.type	context_call, @function
	.p2align 4
context_call:
	save_context
	movq	%rsi, %rsp
	xorl	%ebp, %ebp		# the outermost frame of this stack, for unwinders
	pushq	$0
	movq	%rcx, %rdi
	jmp	*%rdx
	.size	context_call, . - context_call

	.section .note.GNU-stack, "", @progbits
